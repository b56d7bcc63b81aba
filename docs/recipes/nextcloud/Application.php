<?php
declare(strict_types=1);

namespace OCA\Vitrine\AppInfo;

use OCA\Vitrine\Preview\ModelPreview;
use OCP\AppFramework\App;
use OCP\AppFramework\Bootstrap\IBootContext;
use OCP\AppFramework\Bootstrap\IBootstrap;
use OCP\AppFramework\Bootstrap\IRegistrationContext;

class Application extends App implements IBootstrap {
    public function __construct() {
        parent::__construct('vitrine');
    }

    public function register(IRegistrationContext $context): void {
        $context->registerPreviewProvider(ModelPreview::class, ModelPreview::MIME_TYPES);
    }

    public function boot(IBootContext $context): void {
    }
}
