<?php
declare(strict_types=1);

namespace OCA\Vitrine\Preview;

use OCP\Files\File;
use OCP\Files\FileInfo;
use OCP\Http\Client\IClientService;
use OCP\IConfig;
use OCP\IImage;
use OCP\Image;
use OCP\Preview\IProviderV2;
use Psr\Log\LoggerInterface;

/** Previews that a Vitrine server draws; it keeps nothing of the file. */
class ModelPreview implements IProviderV2 {
    public const MIME_TYPES = '/^(model\/.*|image\/x-3ds)$/';
    private const MAX_BYTES = 256 * 1024 * 1024;
    private const MAX_SIDE = 2048;

    public function __construct(
        private IClientService $clients,
        private IConfig $config,
        private LoggerInterface $logger,
    ) {
    }

    public function getMimeType(): string {
        return self::MIME_TYPES;
    }

    public function isAvailable(FileInfo $file): bool {
        return $file->getSize() > 0 && $file->getSize() <= self::MAX_BYTES;
    }

    public function getThumbnail(File $file, int $maxX, int $maxY): ?IImage {
        $side = max(16, min($maxX, $maxY, self::MAX_SIDE));
        $query = http_build_query(['name' => $file->getName(), 'w' => $side, 'h' => $side, 'format' => 'png']);
        $url = $this->config->getSystemValueString('vitrine_url', 'http://127.0.0.1:8080');
        $token = $this->config->getSystemValueString('vitrine_token', '');
        $headers = ['Content-Type' => 'application/octet-stream'];
        if ($token !== '') {
            $headers['Authorization'] = 'Bearer ' . $token;
        }
        try {
            $response = $this->clients->newClient()->post(rtrim($url, '/') . '/v1/render?' . $query, [
                'body' => $file->fopen('rb'),
                'headers' => $headers,
                'timeout' => 60,
                'nextcloud' => ['allow_local_address' => true],
            ]);
        } catch (\Exception $error) {
            $this->logger->info('no preview of ' . $file->getName(), ['app' => 'vitrine', 'exception' => $error]);
            return null;
        }
        $image = new Image();
        $image->loadFromData($response->getBody());
        return $image->valid() ? $image : null;
    }
}
